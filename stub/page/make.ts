/// <reference lib="dom" />

type Child = Node | string | null;

/** Creates an element. Strings become text nodes, never markup, so that data from clients cannot inject HTML. */
export function make(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

export type Make = typeof make;
