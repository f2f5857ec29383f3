"""Classifiers of tumours, and the texts that they read: what the logs of the tests are of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SEED = 0
LABELS = ("malignant", "benign")  # as scikit-learn numbers them
FEATURES = ("mean radius", "mean texture", "mean smoothness", "mean symmetry")
TESTED = 240
HARD = 16  # documents, of which the first system is least sure
SURE = 0.55  # from there on a system states its diagnosis in the form that strict-match finds
ORGANIZATION = "scikit-learn"


@dataclass(frozen=True)
class System:
    """A classifier that reads a tumour's measurements from a text."""

    name: str
    classifier: Any

    def probabilities(self, text: str) -> dict[str, float]:
        """Of each label."""
        numbers = [float(x) for x in re.findall(r"\d+\.?\d*", text)]
        row = self.classifier.predict_proba([numbers])[0]
        return dict(zip(LABELS, map(float, row), strict=True))

    def answer(self, text: str) -> tuple[str, float]:
        """The likelier label, with its probability."""
        probabilities = self.probabilities(text)
        return max(probabilities.items(), key=lambda item: item[1])

    def statement(self, text: str) -> str:
        """The answer in words, which tell how sure the system is."""
        label, probability = self.answer(text)
        if probability >= SURE:
            return f" Diagnosis: {label}."
        return f" More likely {label} than not."


def systems_and_documents() -> tuple[list[System], list[dict[str, Any]]]:
    """The fitted systems, and each document's text and number of its label."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    tumours = load_breast_cancer()
    columns = [list(tumours.feature_names).index(name) for name in FEATURES]
    values, labels = tumours.data[:, columns], tumours.target
    trained, tested = train_test_split(
        range(len(labels)), test_size=TESTED, random_state=SEED, stratify=labels
    )
    classifiers = {
        "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "naive_bayes": GaussianNB(),
        "decision_tree": DecisionTreeClassifier(max_depth=4, random_state=SEED),
    }
    systems = [System(x, y.fit(values[trained], labels[trained])) for x, y in classifiers.items()]
    documents = [{"text": text_of(values[i]), "label": int(labels[i])} for i in tested]
    return systems, documents


def text_of(values: Sequence[float]) -> str:
    """Such as `radius 14.13, texture 20.31, smoothness 0.09645, symmetry 0.1812`."""
    names = [name.removeprefix("mean ") for name in FEATURES]
    return ", ".join(f"{name} {x:.4g}" for name, x in zip(names, values, strict=True))


def hardest(documents: Sequence[dict[str, Any]], system: System) -> list[int]:
    """The numbers of the documents of which a system is least sure, in their order."""
    sure = [system.answer(x["text"])[1] for x in documents]
    return sorted(sorted(range(len(documents)), key=sure.__getitem__)[:HARD])
