"""Writes a soul and reads it back, with the client that was generated from the OpenAPI document."""

import os

from soul_client import Client
from soul_client.api.souls import get_agents_name_soul, history, write
from soul_client.models import Failure, WriteBody

BODY = "---\nrole: Reviewer\n---\nName the line of every defect.\n"

client = Client(base_url=os.environ["SOUL_URL"])
written = write.sync("python", client=client, body=WriteBody(body=BODY, create=True))
assert not isinstance(written, Failure), written
assert written.revision.action == "put", written

soul = get_agents_name_soul.sync("python", client=client)
assert soul.digest == written.soul.digest and soul.valid, soul
revisions = history.sync("python", client=client, bodies=True).revisions
assert [revision.body for revision in revisions] == [BODY], revisions

stale = write.sync("python", client=client, body=WriteBody(body="Stale.\n"))
assert isinstance(stale, Failure) and stale.error.code == "soul_conflict", stale
assert stale.error.current_digest == soul.digest, stale
print("the Python client wrote and read a soul")
