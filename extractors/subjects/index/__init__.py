"""The index of a subject's names, files, pages and concepts: ``read_index`` reads it."""

from .index import Index as Index
from .index import read_index as read_index
from .index import subject_index as subject_index
from .symbols import Symbol as Symbol
from .symbols import last_part as last_part
from .symbols import name_parts as name_parts
