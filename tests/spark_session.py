"""A Spark session on this machine, of tests that need Java."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from extras import needs, needs_program

WARNED = "ignore:PySpark does not yet fully support pandas:FutureWarning"


@contextmanager
def local_session(warehouse: object) -> Iterator[Any]:
    """Two threads, no page, nothing written but in this folder; quick to start and to plan."""
    needs_program("java", install="apt-get install openjdk-17-jre-headless")
    builder = needs("pyspark.sql", "spark").SparkSession.builder.master("local[2]")
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "OFF",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(warehouse),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()
