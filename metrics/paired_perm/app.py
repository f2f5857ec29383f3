"""Serve the page, by ``python metrics/paired_perm/app.py`` or as a Hugging Face Space."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path += map(str, HERE.glob("pairedperm-*.whl"))  # if the package is not installed
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # gradio reads it when it is imported

try:
    from pairedperm.errors import extra

    with extra("space", "The page"):
        import gradio as gr
        import matplotlib  # noqa: F401  # of the pictures
except ImportError as error:
    sys.exit(str(error))

from answer import Answer, Asked, of_files
from datasets import disable_progress_bars
from limits import KEPT_FOR, MAX_BYTES, MAX_PASTED, MAX_WAITING, SWEPT_EVERY, Upload
from page import answer_page, error_page
from pasted import of_columns
from visitor import COLUMNS, in_words

from pairedperm import BudgetError, InputError

_TITLE = "Is the difference luck?"
_LEAD = (
    "Two systems answered the same examples, and one scores higher. See how often chance alone "
    "would give such a difference. The exact paired-permutation test counts all swaps."
)
_EXAMPLES = {
    "A clear difference": ("logistic_regression.csv", "decision_tree.csv"),
    "Too few to tell": ("logistic_regression.csv", "naive_bayes.csv"),
    "Scores instead of answers": ("logistic_regression.jsonl", "naive_bayes.jsonl"),
}
_TEXTS = ("metric", "task", "average", "pos_label", "better", "name1", "name2")
_AVERAGES = ("", "binary", "micro", "macro", "weighted")
_BETTER = {"as the files or the metric say": "", "higher": "higher", "lower": "lower"}
_ENDINGS = [".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".json", ".eval"]
_FONTS = ["system-ui", "sans-serif"], ["ui-monospace", "monospace"]  # none is downloaded
_NAMED = """() => document.querySelectorAll(".named").forEach((file) => {
    file.setAttribute("role", "group");
    file.setAttribute("aria-label", file.querySelector("label").textContent.trim());
})"""  # gradio calls the button of each file the same
_COPYING = """element.addEventListener("click", (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const text = button.parentElement.querySelector("pre");
    getSelection().selectAllChildren(text);
    const copied = () => { button.textContent = "Copied"; };
    const selected = () => { button.textContent = "Selected: press Ctrl+C"; };
    navigator.clipboard ? navigator.clipboard.writeText(text.textContent).then(copied, selected)
        : selected();  // the clipboard needs https or this machine
});"""
_SORRY = (
    "Something went wrong that should not have. The server's log says what. Please report it with "
    "the files, if you can."
)


def _answered(find: Callable[[], Answer]) -> list[Any]:
    """Return the outputs: the answer, or why there is none."""
    try:
        found = find()
        shown = answer_page(found)
    except (InputError, BudgetError) as error:
        return _without_answer(in_words(error.message))
    except ImportError as error:
        return _without_answer(str(error))
    except Exception:
        traceback.print_exc()
        return _without_answer(_SORRY)
    tasks = [x for x in found.tasks if x]
    return [
        shown,
        gr.Dropdown(choices=["", *found.metrics]) if found.metrics else gr.skip(),
        gr.Dropdown(choices=["", *tasks], visible=len(tasks) > 1),
    ]


def _without_answer(message: str) -> list[Any]:
    return [error_page(message), gr.skip(), gr.skip()]


def _upload(payload: Any) -> Upload | None:
    """Return an upload with its original name, which gradio changes on disk."""
    return payload and Upload(payload.path, payload.orig_name or Path(payload.path).name)


def _asked(*options: Any) -> Asked:
    """Return the chosen options; an untouched box holds None."""
    *texts, is_dropped = options[: -len(COLUMNS)]
    columns = options[-len(COLUMNS) :]
    names = tuple((x or "").strip() or own for x, own in zip(columns, COLUMNS, strict=True))
    chosen: dict[str, Any] = {
        x: " ".join((y or "").split()) for x, y in zip(_TEXTS, texts, strict=True)
    }
    return replace(Asked(columns=names, is_dropped=is_dropped), **chosen)


def compare_files(a: Any, b: Any, references: Any, *options: Any) -> list[Any]:
    """Return the outputs for two uploads."""

    def find() -> Answer:
        one, two = _upload(a), _upload(b)
        if one is None or two is None:
            missing = f"File {'A' if one is None else 'B'} is missing"
            raise InputError(missing, remedy="Drop a file there.")
        return of_files(one, two, _upload(references), _asked(*options))

    return _answered(find)


def compare_columns(a: str, b: str, references: str, *options: Any) -> list[Any]:
    """Return the outputs for pasted columns."""
    return _answered(lambda: of_columns(a or "", b or "", references or "", _asked(*options)))


def compare_example(name: str) -> list[Any]:
    """Return the files of an example, and the outputs for them."""
    paths = [HERE / "examples" / x for x in _EXAMPLES[name]]
    one, two = (Upload(str(path), path.name) for path in paths)
    return [*map(str, paths), None, *_answered(lambda: of_files(one, two, None, Asked()))]


def _file(label: str) -> gr.File:
    with gr.Column(min_width=160, elem_classes="named"):
        found = gr.File(label=label, file_types=_ENDINGS, height=130)
    found.preprocess = lambda payload: payload  # keeps the original name
    return found


def _options() -> list[Any]:
    """Build the inputs under “More options”: `_TEXTS`, whether to leave out, `COLUMNS`."""
    with gr.Row():
        metric = gr.Dropdown(
            [""],
            value="",
            label="Metric",
            info="Empty: the metric in the files, or accuracy.",
            allow_custom_value=True,
        )
        task = gr.Dropdown([""], value="", label="Task", allow_custom_value=True, visible=False)
        average = gr.Dropdown(
            _AVERAGES, value="", label="Average", info="For F1 and similar metrics."
        )
        pos_label = gr.Textbox(label="Label that counts", info="For a binary F1, such as yes.")
        better = gr.Dropdown([*_BETTER.items()], value="", label="Better scores are")
    with gr.Row():
        names = [gr.Textbox(label=f"Name of system {x}") for x in "AB"]
    is_dropped = gr.Checkbox(label="Leave out what does not match, and list it")
    with gr.Row():
        columns = [gr.Textbox(label=f"Column “{x}”", placeholder=x, min_width=120) for x in COLUMNS]
    return [metric, task, average, pos_label, better, *names, is_dropped, *columns]


def _theme() -> gr.themes.Base:
    """Return Gradio's theme with local fonts, and a blue that white text can be read on."""
    found = gr.themes.Default(primary_hue="blue", font=_FONTS[0], font_mono=_FONTS[1])
    return found.set(
        body_text_color_subdued="*neutral_600",
        block_info_text_color="*neutral_600",
        button_primary_background_fill="#0072b2",
        button_primary_background_fill_dark="#0072b2",
        button_primary_background_fill_hover="#005a8c",
        button_primary_background_fill_hover_dark="#005a8c",
    )


def built() -> gr.Blocks:
    """Build the page."""
    with gr.Blocks(
        title=_TITLE,
        analytics_enabled=False,
        delete_cache=(SWEPT_EVERY, KEPT_FOR),
        fill_width=False,
    ) as demo:
        gr.HTML(f'<header class="pp"><h1>{_TITLE}</h1><p>{_LEAD}</p></header>')
        with gr.Tabs():
            with gr.Tab("Two files"):
                with gr.Row():
                    files = [_file("File A"), _file("File B"), _file("Right answers")]
                gr.HTML(
                    '<p class="pp small">Tables (JSON Lines, CSV, TSV, Parquet) with an <code>id'
                    "</code> and a <code>score</code>, or a <code>prediction</code> and a <code>"
                    "reference</code>; logs of lm-evaluation-harness, inspect_ai and Every Eval "
                    "Ever. “Right answers” is for a separate table of references. "
                    f"Uploads are deleted after {KEPT_FOR // 60} minutes.</p>"
                )
                of_uploads = gr.Button("Compare the files", variant="primary")
            with gr.Tab("Paste"):
                with gr.Row():
                    boxes = [
                        gr.Textbox(label=label, lines=6, max_lines=12, max_length=MAX_PASTED)
                        for label in ("Box A", "Box B", "Right answers")
                    ]
                gr.HTML(
                    '<p class="pp small">One example per line, in the same order in each box. '
                    "Leave “Right answers” empty if the lines are scores. You can also paste two "
                    "or three columns of a spreadsheet into box A.</p>"
                )
                of_boxes = gr.Button("Compare the columns", variant="primary")
        gr.HTML('<p class="pp small try">Or try it with an example:</p>')
        with gr.Row():
            examples = [gr.Button(name, size="sm", min_width=120) for name in _EXAMPLES]
        with gr.Accordion("More options", open=False):
            options = _options()
        answer = gr.HTML(
            html_template='<div aria-live="polite">${value}</div>', js_on_load=_COPYING
        )
        outputs = [answer, *options[:2]]
        # one answer at a time: a Space has two processors
        how: dict[str, Any] = {
            "concurrency_limit": 1,
            "concurrency_id": "answer",
            "api_visibility": "private",
        }
        of_uploads.click(compare_files, [*files, *options], outputs, **how)
        of_boxes.click(compare_columns, [*boxes, *options], outputs, **how)
        for button in examples:
            button.click(compare_example, button, [*files, *outputs], **how)
        demo.load(None, js=_NAMED)
    return demo


def main() -> None:
    """Serve the page to this machine only, unless options or a Space say otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, help="default: 7860, or the next that is free")
    parser.add_argument("--host", help="0.0.0.0 lets other machines in; default: 127.0.0.1")
    given = parser.parse_args()
    on_space = "0.0.0.0" if "SPACE_ID" in os.environ else "127.0.0.1"
    disable_progress_bars()  # they would fill the server's log
    compare_example("A clear difference")  # imports all, so that the first visitor need not wait
    gc.freeze()  # spares later garbage collections what was imported
    built().queue(max_size=MAX_WAITING).launch(
        server_name=given.host or os.environ.get("GRADIO_SERVER_NAME") or on_space,
        server_port=given.port,
        share=False,
        allowed_paths=[str(HERE / "examples")],  # gradio serves files of no other folder
        max_file_size=MAX_BYTES,
        footer_links=[],
        ssr_mode=False,
        theme=_theme(),
        css_paths=HERE / "page.css",
    )


if __name__ == "__main__":
    main()
