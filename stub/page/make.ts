/// <reference lib="dom" />

type Child = Node | string | null;

/** Makes an element. Texts become text, never markup, so that nothing a client sends can be more than read. */
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
