"""Serve the page, by ``python metrics/paired_perm/app.py`` or as a Hugging Face Space."""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path += map(str, HERE.glob("pairedperm-*.whl"))  # if the package is not installed
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # gradio reads both when it is imported
UPLOADS = Path(os.environ.get("GRADIO_TEMP_DIR") or tempfile.gettempdir(), "pairedperm-page")
os.environ["GRADIO_TEMP_DIR"] = str(UPLOADS)

try:
    from pairedperm.errors import extra

    with extra("space", "The page"):
        import gradio as gr
        import matplotlib  # noqa: F401  # of the pictures
except ImportError as error:
    sys.exit(str(error))

import worker
from PIL import Image

_TITLE = "Is the difference luck?"
_EXAMPLES = {
    "A clear difference": ("logistic_regression.csv", "decision_tree.csv"),
    "Too few to tell": ("logistic_regression.csv", "naive_bayes.csv"),
    "Scores instead of answers": ("logistic_regression.jsonl", "naive_bayes.jsonl"),
}
_BOXES = {
    "A": "A: answers or scores, one a line",
    "B": "B: answers or scores, one a line",
    "references": "references: right answers, none for scores",
}
_INPUTS = (*_BOXES, *worker.OPTIONS, *worker.READING)
_CHOICES = {
    "average": ["", "binary", "micro", "macro", "weighted"],
    "lower_is_better": ["", "True", "False"],
    "on_missing": ["error", "drop"],
}
_PICTURES = {
    "null": "Differences by random swaps",
    "interval": "The difference and its interval",
}
_TO_ANSWER = "() => setTimeout(() => document.getElementById('answer').scrollIntoView(), 300)"
_FONTS = ["system-ui", "sans-serif"], ["ui-monospace", "monospace"]  # none is downloaded
waiting: Counter[str] = Counter()  # answers that each session waits for


def _place(request: gr.Request, change: int) -> int:
    """Change the number of answers that a session waits for, and return it."""
    session = f"{request.session_hash}"
    waiting[session] += change
    return waiting[session] if waiting[session] > 0 else waiting.pop(session)


def may_ask(request: gr.Request, *values: Any) -> list[Any]:
    """Take a place in the queue for a session, unless it has all of its own."""
    if _place(request, 1) > worker.MAX_ASKED:
        _place(request, -1)
        raise gr.Error("Wait for your other answers.")
    return [gr.validate(True, "") for _ in values]


def leave(request: gr.Request) -> None:
    """Forget a session that ends; gradio takes it out of the queue."""
    waiting.pop(f"{request.session_hash}", None)


def compare(request: gr.Request, *values: Any) -> list[Any]:
    """Return the outputs: what is printed, the pictures and the section for a card."""
    try:
        found = worker.ask(dict(zip(_INPUTS, values, strict=False)))
    finally:
        _place(request, -1)
    shown = [Image.open(io.BytesIO(found[x])) if x in found else None for x in _PICTURES]
    return [
        found["text"],
        *(gr.Image(x, visible=x is not None) for x in shown),
        gr.Code(found.get("section"), visible="section" in found),
    ]


def _option(name: str) -> gr.Component:
    """Return the box of an option, which has the name that messages give it."""
    if name in _CHOICES:
        return gr.Dropdown(_CHOICES[name], label=name, min_width=140)
    return gr.Textbox(label=name, min_width=140)


def _theme() -> gr.themes.Base:
    """Return Gradio's theme with local fonts, and a blue that white text can be read on."""
    found = gr.themes.Default(primary_hue="blue", font=_FONTS[0], font_mono=_FONTS[1])
    return found.set(button_primary_background_fill="*primary_600")


def built() -> gr.Blocks:
    """Build the page."""
    with gr.Blocks(title=_TITLE, analytics_enabled=False) as demo:
        gr.Markdown(f"# {_TITLE}")
        with gr.Tabs():
            with gr.Tab("Paste"):
                with gr.Row():
                    lines = {"lines": 6, "max_lines": 12, "max_length": worker.MAX_PASTED}
                    boxes = [gr.Textbox(label=x, **lines) for x in _BOXES.values()]
                of_boxes = gr.Button("Compare the lines", variant="primary")
            with gr.Tab("Files"):
                with gr.Row():
                    files = [gr.File(label=x, file_count="multiple", height=130) for x in _BOXES]
                with gr.Accordion("Columns and tasks", open=False), gr.Row():
                    reading = [_option(x) for x in worker.READING]
                of_files = gr.Button("Compare the files", variant="primary")
                paths = [[[str(HERE / "examples" / x)] for x in y] for y in _EXAMPLES.values()]
                gr.Examples(paths, files[:2], example_labels=[*_EXAMPLES], cache_examples=False)
        with gr.Accordion("Metric and matching", open=False), gr.Row():
            options = [_option(x) for x in worker.OPTIONS]
        text = gr.Textbox(label="Answer", elem_id="answer", interactive=False, max_lines=100)
        with gr.Row():
            hidden = {"show_label": False, "interactive": False, "visible": False, "buttons": []}
            pictures = [gr.Image(format="png", alt_text=x, **hidden) for x in _PICTURES.values()]
        section = gr.Code(
            label="Section for a model card",
            language="markdown",
            wrap_lines=True,
            show_line_numbers=False,
            buttons=["copy"],
            visible=False,
        )
        for button, inputs in (
            (of_boxes, [*boxes, *options]),
            (of_files, [*files, *options, *reading]),
        ):
            button.click(
                compare,
                inputs,
                [text, *pictures, section],
                concurrency_id="answer",
                concurrency_limit=1,  # a Space has two processors
                validator=may_ask,
                show_progress_on=text,
                api_visibility="private",
            ).then(None, js=_TO_ANSWER)
        demo.unload(leave)
    return demo


def sweep() -> None:
    """Delete old uploads and pictures, also of an earlier server, and what is too much."""
    kept, oldest = 0, time.time() - worker.KEPT_FOR
    for path in sorted(UPLOADS.rglob("*"), key=lambda x: x.lstat().st_mtime, reverse=True):
        status = path.lstat()
        kept += status.st_size
        if status.st_mtime < oldest or kept > worker.MAX_KEPT:
            with suppress(OSError):  # a folder that is not empty yet
                path.rmdir() if path.is_dir() else path.unlink()


def _sweep_often() -> None:
    while True:
        with suppress(OSError):  # gradio moves files meanwhile
            sweep()
        time.sleep(worker.SWEPT_EVERY)


def main() -> None:
    """Serve the page to this machine only, unless options or a Space say otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, help="default: 7860, or the next that is free")
    parser.add_argument("--host", help="0.0.0.0 lets other machines in; default: 127.0.0.1")
    given = parser.parse_args()
    on_space = "0.0.0.0" if "SPACE_ID" in os.environ else "127.0.0.1"
    threading.Thread(target=_sweep_often, daemon=True).start()
    worker.make_ready()
    gr.set_static_paths([HERE / "examples"])  # served where they lie, and never swept
    built().queue(max_size=worker.MAX_WAITING).launch(
        server_name=given.host or os.environ.get("GRADIO_SERVER_NAME") or on_space,
        server_port=given.port,
        share=False,
        max_file_size=worker.MAX_BYTES,
        state_session_capacity=worker.MAX_SESSIONS,
        footer_links=[],
        ssr_mode=False,
        theme=_theme(),
    )


if __name__ == "__main__":
    main()
