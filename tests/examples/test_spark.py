"""The guide's block of Spark on a local session, and datasets that come from Spark."""

import random

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from extras import needs, needs_program
from pairedperm import compare, paired_counts, paired_permutation_test
from pairedperm.hf import compare_dataset
from scripts import EXAMPLES

N, FILES = 240, 3
COLUMNS = ("large", "small", "label")
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.host": "127.0.0.1",
    "spark.log.level": "OFF",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture
def session(tmp_path, monkeypatch):
    """Two threads, no page, nothing written but in this folder; quick to start and to plan."""
    needs_program("java", install="apt-get install openjdk-17-jre-headless")
    monkeypatch.chdir(tmp_path)  # before Java starts, which stays where it was started
    builder = needs("pyspark.sql", "dev").SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.config("spark.sql.warehouse.dir", str(tmp_path / "warehouse")).getOrCreate()
    yield session
    session.stop()


def block():
    """The guide's block that names Spark."""
    text = (EXAMPLES / "guide" / "distributed.md").read_text(encoding="utf-8")
    (found,) = (x for x in text.split("```py\n")[1:] if "pyspark" in x)
    return found.partition("```")[0]


@pytest.mark.thorough
@pytest.mark.usefixtures("session")
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_spark(tmp_path):
    """It starts once: Java takes seconds."""
    rng = random.Random(5)
    rows = {name: [rng.choice(["x", "y", "é’\n"]) for _ in range(N)] for name in COLUMNS}
    rows["document"] = [rng.randrange(30) for _ in range(N)]
    table = pa.table(rows)
    (tmp_path / "predictions").mkdir()
    for number in range(FILES):
        part = table.slice(number * N // FILES, N // FILES)
        pq.write_table(part, tmp_path / "predictions" / f"{number}.parquet")
    known = {"paired_counts": paired_counts, "paired_permutation_test": paired_permutation_test}
    exec(compile(block(), "distributed.md", "exec"), known)
    columns, documents = [rows[name] for name in COLUMNS], rows["document"]
    assert known["counts"] == paired_counts(*columns, "f1", average="macro", groups=documents)
    truth = compare(*columns, "f1", average="macro", groups=documents)
    options = {"average": "macro", "groups": "document"}
    for dataset in (
        datasets.IterableDataset.from_spark(known["df"]),
        datasets.Dataset.from_spark(known["df"], cache_dir=str(tmp_path / "cache")),
    ):
        assert compare_dataset(dataset, *COLUMNS, "f1", **options) == truth
