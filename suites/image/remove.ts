import { getContainerRuntimeClient } from 'testcontainers';

/** Removes every container with the label `name=value`, running or not, with its volumes. Returns their number. */
export async function removeLabelled(label: string): Promise<number> {
  const { container } = await getContainerRuntimeClient();
  const containers = await container.dockerode.listContainers({ all: true, filters: { label: [label] } });
  await Promise.all(
    containers.map(({ Id }) => container.getById(Id).remove({ force: true, v: true }).catch(unlessGone)),
  );
  return containers.length;
}

function unlessGone(error: { statusCode?: number }): void {
  // 404: already removed. 409: removal is in progress.
  if (error.statusCode !== 404 && error.statusCode !== 409) throw error;
}
