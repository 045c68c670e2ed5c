"""The subject PyTorch. This folder also has its topics, its people, the index of its names, and the index's maker."""

from __future__ import annotations

from pathlib import Path

from ..subject import Code, Proposals, Subject

SUBJECT = Subject(
    name="PyTorch", words=("pytorch",), repo="pytorch/pytorch", family=("pytorch/",),
    feed="https://feeds.simplecast.com/OB5FkIl8",  # the PyTorch Developer Podcast
    homes=("feeds.simplecast.com/OB5FkIl8", "pytorch-dev-podcast.simplecast.com"),
    docs="https://docs.pytorch.org/docs/stable/", docs_project="pytorch",
    tutorials="https://docs.pytorch.org/tutorials/", tutorials_project="pytorch",
    proposals=Proposals(repo="pytorch/rfcs", project="pytorch-rfcs"),
    code=Code(
        roots=("torch", "functorch", "torchgen"),
        namespaces=("at", "aten", "c10", "c10d", "torch"),
        core=frozenset(
            "at at::native at::vec at::autocast at::cuda at::functorch c10 c10::cuda c10::impl c10d torch "
            "torch::autograd torch::distributed::autograd torch::distributed::rpc torch::dynamo torch::jit "
            "torch::jit::tensorexpr torch::lazy torch::nn torch::optim".split()
        ),
        owners=("torch", "torch.Tensor", "torch.nn.functional", "torch.autograd", "torch.linalg", "torch.func"),
        everywhere=frozenset(("torch", "at", "c10", "torch._dynamo", "torch._inductor")),
        coinages=("torch", "autograd", "inductor", "dtensor", "symint", "fsdp"),
        top_folders=frozenset(
            ".ci .github aten benchmarks binaries c10 caffe2 cmake docs functorch scripts test tools torch "
            "torchgen".split()
        ),
        shelves=frozenset("torch torch/csrc aten aten/src c10 test tools docs docs/source caffe2".split()),
        unseen=(".ci/", ".circleci/", ".github/", ".jenkins/", "third_party/", "android/", "ios/", "test/"),
    ),
    folder=str(Path(__file__).parent), names="pytorch.idx",
)  # fmt: skip
