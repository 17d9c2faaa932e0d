"""Client of Somnograph, a long-term memory for AI agents.

    from somnograph import Memory

    memory = Memory("http://127.0.0.1:8420", user="ana", consent="EXPLICIT")
    memory.add("I moved from Oslo to Bergen in May.")
    print(memory.context("Where do I live?").text)

Memory is synchronous, AsyncMemory the same for asyncio. The records that calls return, the inputs and the enums are in
somnograph.types.
"""

from . import types
from ._client_async import AsyncMemory, AsyncSession
from ._client_sync import Memory, Session
from ._files_async import AsyncMemoryFiles
from ._files_sync import MemoryFiles
from ._errors import SomnographError
from ._protocol import Added, Message, Retry

__all__ = [
    "Added",
    "AsyncMemory",
    "AsyncMemoryFiles",
    "AsyncSession",
    "Memory",
    "MemoryFiles",
    "Message",
    "Retry",
    "Session",
    "SomnographError",
    "types",
]
__version__ = "0.1.0"
