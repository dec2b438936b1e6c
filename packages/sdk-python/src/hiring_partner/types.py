"""Classes of responses, types of request bodies and enumerations."""

from ._generated import *  # noqa: F403
from ._models import Model as Model
