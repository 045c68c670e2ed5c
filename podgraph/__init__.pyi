from .extractors.errors import FeedError as FeedError
from .extractors.errors import NotFoundError as NotFoundError
from .extractors.errors import OutputError as OutputError
from .extractors.errors import PodgraphError as PodgraphError
from .extractors.errors import QueryError as QueryError
from .extractors.errors import SourceError as SourceError
from .graph.questions.answer import Answer as Answer
from .graph.questions.answer import Row as Row
from .output.library import Graph as Graph
from .output.library import Page as Page
from .output.library import build as build
from .output.library import from_networkx as from_networkx
from .output.library import open as open
from .output.library import sample as sample

__version__: str
