from .extractors.errors import FeedError as FeedError
from .extractors.errors import NotFoundError as NotFoundError
from .extractors.errors import OutputError as OutputError
from .extractors.errors import PodgraphError as PodgraphError
from .extractors.errors import QueryError as QueryError
from .extractors.errors import SourceError as SourceError
from .output.answers import Answer as Answer
from .output.answers import Item as Item
from .output.answers import Steps as Steps
from .output.library import Graph as Graph
from .output.library import Page as Page
from .output.library import build as build
from .output.library import open as open
from .output.library import sample as sample

__version__: str
