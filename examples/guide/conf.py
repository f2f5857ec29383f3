"""The site of the guides: `python -m sphinx -W --keep-going examples/guide FOLDER`.

The guides are plain Markdown, as GitHub shows it. The pages are those that `index.md` links to; it
is also llms.txt. Each page is there as .md, too.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.text import TextBuilder

from pairedperm import __version__

project = "pairedperm"
release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "sphinx_click"]
highlight_language = "text"  # of blocks that name none
smartquotes = False  # it makes one dash of those before a flag
text_sectionchars = "=-~^"  # the headings of Markdown

myst_heading_anchors = 4  # GitHub's names of headings; a link to another one is a warning
nb_execution_mode = "force"
nb_execution_raise_on_error = True

add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings name types, shapes and units
default_role = "py:obj"  # `compare` in a docstring is a link, `alpha` is code
numpydoc_show_class_members = False  # autodoc lists them

html_theme = "furo"
html_title = f"pairedperm {release}"
html_copy_source = html_show_copyright = html_use_index = False

NOTEBOOK = """---
file_format: mystnb
kernelspec: {name: python3}
---
```{code-cell}
:tags: [remove-cell]
%cd -q ../../..
```
"""
TOCTREE = """
```{{toctree}}
:caption: {caption}
:hidden:
{pages}
```
"""


def _out_of(page: str) -> str:
    return "../" * (page.count("/") + 1)


def read_source(app: Sphinx, page: str, text: list[str]) -> None:
    """Make MyST of a page: links out of this folder, cells of notebooks, sections of the index."""
    out = _out_of(page)
    text[0] = text[0].replace(f"]({out}../README.md)", f"]({out[3:]}index.md)")
    text[0] = re.sub(rf"\]\(({out}[^)#]*)(#[^)]*)?\)", r"](path:\1)", text[0])
    if page.startswith("notebooks/"):
        text[0] = NOTEBOOK + text[0].replace("```python\n", "```{code-cell}\n")
    if page == "index":
        for section in text[0].split("\n## ")[1:]:
            pages = "\n".join(re.findall(r"^- \[.*?\]\((.*?)\.\w+\)", section, re.MULTILINE))
            text[0] += TOCTREE.format(caption=section.partition("\n")[0], pages=pages)


def read_docstring(app: Sphinx, what: str, name: str, x: Any, given: Any, lines: list[str]) -> None:
    """Let no author's initial be the letter of a list."""
    lines[:] = [re.sub(r"^(\.\. \[\d\] [A-Z])\.", r"\1\\.", line) for line in lines]


def read_help(app: Sphinx, context: Any, lines: list[str]) -> None:
    """Show the examples of a command, which end its help, as code, and stars as stars."""
    words = [line.replace("*", r"\*") for line in lines if not line.startswith("| ")]
    examples = [f"    {line[2:]}" for line in lines if line.startswith("| ")]
    lines[:] = [*words, "::", "", *examples, ""] if examples else words


def write_markdown(app: Sphinx, error: Exception | None) -> None:
    """Write each page as .md: its source, or what docstrings and help make of it."""
    if error or app.builder.name != "html":
        return
    written = TextBuilder(app, app.env)
    written.init()
    written.out_suffix = ".md"
    for page in app.env.found_docs:
        if page.startswith("reference/"):
            written.write_doc(page, app.env.get_and_resolve_doctree(page, written))
        else:
            text = Path(app.env.doc2path(page)).read_text("utf-8")
            text = text.replace("](../../README.md)", "](index.md)").replace(".rst)", ".md)")
            text = re.sub(rf"\[([^]]*)\]\({_out_of(page)}[^)]*\)", r"\1", text)
            Path(app.outdir, f"{page}.md").write_text(text, "utf-8")
    shutil.copy(Path(app.outdir, "index.md"), Path(app.outdir, "llms.txt"))


def setup(app: Sphinx) -> None:
    """Connect what is written here."""
    app.connect("source-read", read_source)
    app.connect("autodoc-process-docstring", read_docstring, priority=400)  # before numpydoc
    app.connect("sphinx-click-process-description", read_help)
    app.connect("sphinx-click-process-options", read_help)
    app.connect("build-finished", write_markdown)
