import { getContainerRuntimeClient } from 'testcontainers';

/** Removes every container with the label `name=value`, running or not, with its volumes; gives how many there were. */
export async function removeLabelled(label: string): Promise<number> {
  const { container } = await getContainerRuntimeClient();
  const found = await container.dockerode.listContainers({ all: true, filters: { label: [label] } });
  await Promise.all(found.map(({ Id }) => container.getById(Id).remove({ force: true, v: true }).catch(unlessGone)));
  return found.length;
}

function unlessGone(error: { statusCode?: number }): void {
  // 404: gone already; 409: someone else is removing it.
  if (error.statusCode !== 404 && error.statusCode !== 409) throw error;
}
