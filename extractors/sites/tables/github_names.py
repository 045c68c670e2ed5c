"""The first segments of github.com's paths: logins, pages of the site itself, well-known organisations.

The rules for logins and repository names are those in github.com's sign-up and "new repository" forms.
"""

from __future__ import annotations

import re

# The name of a repository.
_REPO = re.compile(r"[A-Za-z0-9._-]{1,100}")
_LONGEST_PATH, _MOST_FOLDERS = 4096, 50

# First path segments that github.com keeps for its own pages; no account can have these names.
_RESERVED = """
about accelerator access account admin advisories agents anonymous api apps auth billing blog bounty
branches business businesses cache case-studies categories changelog codespaces collections comments
commit commits companies compare confirm-email contact contributing coupons customer customer-stories
customers dashboard dashboards design developer diff discover discussions docs downloads edu enterprise
enterprises events executive-insights explore featured features files forked gist gists git-guides graphs
guide guides help help-wanted home hooks hosting hovercards identity images import inbox individual
integrations investors invitations issues jobs join journal languages learn legal lists login logos logout
maintenance malware marketplace mcp mention mentioned milestones mine mirrors mobile models network new
news newsroom none nonprofit nonprofits notices notifications oauth offer open-source organisations
organizations orgs pages partners password_reset payments personal plans plugins popular posts
premium-support press pricing professional projects pulls raw readme recommendations redeem releases
render repos repositories resources restore revert save-net-neutrality saved search security services
session sessions settings shareholders shop showcases signin signup site sitemap social-impact solutions
spam spark sponsors ssh ssh_keys staff starred stars static status statuses storage store stories
styleguide subscriptions suggest suggestion suggestions support suspended team teams terms timeline topic
topics tos tour trending trust-center updates user-attachments username users visualization watching
whats-new why-github wiki works-with
"""
RESERVED = frozenset(_RESERVED.split())

# Accounts of organisations. The list may be incomplete: all other accounts count as persons.
_ORGANISATIONS = """
actions adobe airbnb alibaba allenai amazon-science amd apache apple arm-software astral-sh automattic aws
awslabs azure bazelbuild bigscience-workshop bloomberg boostorg bytedance cli clickhouse cloudflare cncf
conda conda-forge cython databricks deepspeedai denoland desktop django dmlc docker dotnet dropbox duckdb
elastic electron eleutherai explosion facebook facebookarchive facebookexperimental facebookincubator
facebookresearch fastai flashinfer-ai flutter ggml-org git github golang google google-ai-edge
google-deepmind google-research googleapis googlecloudplatform grafana graphql grpc hashicorp haskell
homebrew hpcaitech huggingface ibm intel ipython jax-ml jetbrains joblib julialang jupyter jupyterhub
jupyterlab keras-team khronosgroup kubeflow kubernetes laion-ai lightning-ai linkedin llvm lm-sys
mathworks matplotlib mesonbuild meta-llama meta-pytorch microsoft mlcommons mlflow mongodb mosaicml
mozilla netflix networkx nginx nixos nodejs numba numfocus numpy nvidia nvidia-ai-iot nvidia-nemo nvlabs
onnx open-mmlab open-mpi openai opencv openssl openxla oracle pallets pandas-dev pinterest pola-rs
postgres prometheus protocolbuffers psf pybind pydantic pydata pyg-team pyodide pypa pyro-ppl pytest-dev
python pytorch pytorch-labs qualcomm quansight quansight-labs rails rapidsai ray-project redhat redis rocm
rust-lang salesforce samsung scala scikit-image scikit-learn scipy sgl-project shopify snowflakedb spotify
square stability-ai stanfordnlp statsmodels stripe sympy tencent tensorflow thudm tinygrad triton-lang
twitter uber ultralytics vercel vllm-project vuejs w3c wandb whatwg wikimedia xilinx
"""
ORGANISATIONS = frozenset(_ORGANISATIONS.split())


def is_login(text: str) -> bool:
    """Return whether ``text`` can be the name of an account: letters and digits, with single hyphens between.

    >>> is_login("ezyang"), is_login("-x"), is_login("features")
    (True, False, False)
    """
    parts = text.split("-")
    return len(text) <= 39 and text.isascii() and all(map(str.isalnum, parts)) and text.lower() not in RESERVED


def is_repo(text: str) -> bool:
    """Return whether ``text`` can be the name of a repository."""
    return _REPO.fullmatch(text) is not None and text not in (".", "..")


def is_repo_path(text: str) -> bool:
    """Return whether ``text`` is short enough to be a path in a repository.

    A path has at most 4,096 characters (``PATH_MAX`` of Linux) and 50 folders. Each folder is looked up or becomes a
    node, so a longer text would cost the square of its length.
    """
    return len(text) <= _LONGEST_PATH and text.count("/") <= _MOST_FOLDERS
