"""The module as users meet it: loaded by evaluate, offline, from the registered script."""


def test_load_and_compute(paired_perm):
    result = paired_perm.compute(
        predictions1=[1, 1, 1], predictions2=[1, 0, 1], references=[1, 0, 1]
    )
    assert result["p"] == 1.0
