import { resources } from './endpoints.ts'
import { errorsModule } from './errors.ts'
import { collectOperations } from './operations.ts'
import type { Json } from './schemas.ts'
import { NOTE, namesList } from './text.ts'
import { Types } from './types.ts'

const FOLDER = 'packages/sdk-python/src/hiring_partner'

const HEAD = `${NOTE}
"""Classes of responses, types of request bodies, and the endpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Mapping, Sequence, Type, TypedDict, Union

from ._models import Model, UnionOf
from ._pages import AsyncPager, Page, Pager
from ._resource import AsyncResource, Resource
from ._wire import NOT_GIVEN, NotGiven, Operation`

/**
 * The generated files of the Python SDK, by their path in the repository: classes of responses, types of request bodies,
 * and the endpoints for both clients from the OpenAPI description; error classes from the catalogue. What is not
 * recognized is refused, so that no endpoint is left out silently.
 */
export function pythonSdk(document: Json): Record<string, string> {
  const methods = collectOperations(document)
  const types = new Types(document.components.schemas, methods)
  const namespaces = [...Map.groupBy(methods, method => method.namespace)]
  const parts = [
    HEAD,
    namesList([...types.names(), 'FeedEventType', 'SyncResource']),
    types.declarations(),
    types.aliases(methods),
    types.builders(),
    resources(namespaces, types, 'sync'),
    resources(namespaces, types, 'async'),
  ]
  return {
    [`${FOLDER}/_generated.py`]: `${parts.join('\n\n\n')}\n`,
    [`${FOLDER}/errors.py`]: errorsModule(),
  }
}
