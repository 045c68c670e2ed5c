"""Pasted texts, and the episode that explains them first; a text about something else leads nowhere."""

import pytest

from podgraph.graph import View, explain_text, names_of
from podgraph.output.pipeline import snapshot_graph

FRAMES = """Traceback (most recent call last):
  File "/home/me/train.py", line 3, in main
  File "/env/lib/python3.11/site-packages/pandas/core/frame.py", line 5, in serialization
  File "/env/lib/python3.11/site-packages/torch/_dynamo/eval_frame.py", line 330, in _fn
  File "/env/lib/python3.11/site-packages/{inner}", line 9, in step
"""


@pytest.fixture(scope="module")
def asked():
    view = View.from_networkx(snapshot_graph())
    index = names_of(view)
    return lambda text: explain_text(view, text, index=index)


TEXTS = [
    (FRAMES.format(inner="torch/optim/lr_scheduler.py"), "learning-rate-schedulers"),
    (FRAMES.format(inner="torch/serialization.py"), "serialization"),
    ("#2  0x00007fff in at::TensorIterator::build () from /lib/libtorch.so", "tensoriterator"),
    ("frame #4: c10::Dispatcher::callBoxed(...) at aten/src/ATen/core/dispatch/Dispatcher.h:41", "history-and-constraints-of-the-dispatcher"),
    ("torch._dynamo.mark_dynamic(x, 0)", "dynamo-variabletracker"),
    ("ValueError: Default process group has not been initialized, please make sure to", "intro-to-distributed"),
    ("TORCH_TRACE=/tmp/x tlparse", "torch-trace-and-tlparse"),
    ("[dynamo] Add compiler collectives (#130935)", "compiler-collectives"),
    ("https://github.com/pytorch/pytorch/pull/130935", "compiler-collectives"),
    ("Jacobian mismatch: torch.autograd.gradcheck.GradcheckError", "gradcheck"),
    ("@@ -1,2 +1,2 @@ void TensorIteratorBase::compute_types(const TensorIteratorConfig& config) {", "tensoriterator"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "first"), TEXTS)
def test_the_first_episode(asked, text, first):
    found = asked(text)
    assert found[0].id.endswith(f"/{first}")
    assert found[0].level == "strong"
    for one in found:
        assert one.reasons
        assert one.because
        assert all(text[words["start"] : words["end"]] == words["quote"] for words in one.because)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "KeyError: 'user_id'",
        "Segmentation fault (core dumped)",
        'File "/env/lib/python3.11/site-packages/pandas/core/frame.py", line 5, in serialization',
        "ModuleNotFoundError: No module named 'requests'",
        "the meeting is moved to Thursday",
        "https://github.com/rust-lang/rust/pull/12345",
    ],
)
def test_a_text_about_something_else_leads_nowhere(asked, text):
    assert not asked(text)
