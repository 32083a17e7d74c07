import { expect, test } from 'vitest';
import { type Confirmation, createConfirmations } from './confirmations.ts';

const request = { board: 'b', brief: 'a cup', count: 1, shape: '1:1' };

function held(number: number): Confirmation {
  const id = `c${number}`;
  return { id, request, workspace: 'north', account: 'first', role: 'primary', summary: id, issuedAt: number };
}

function issued(count: number) {
  const confirmations = createConfirmations();
  for (let number = 0; number < count; number++) confirmations.issue(held(number));
  const waiting = () => confirmations.waiting().map(({ id }) => id);
  return { ...confirmations, waiting };
}

test('what was consumed is found no more', () => {
  const { find, consume } = issued(1);
  expect(find('c0')).toMatchObject({ id: 'c0' });
  consume('c0');
  expect(find('c0')).toBeUndefined();
});

test('the oldest are forgotten first, also when some in between were used', () => {
  const { keep, consume, waiting } = issued(6);
  consume('c1');
  expect(keep(3)).toBe(2);
  expect(waiting()).toEqual(['c3', 'c4', 'c5']);
  expect(keep(3)).toBe(0);
});

test('what was issued before a moment is forgotten', () => {
  const { forgetBefore, find, waiting } = issued(5);
  forgetBefore(3);
  expect(waiting()).toEqual(['c3', 'c4']);
  expect(find('c2')).toBeUndefined();
});

test('the order holds over thousands that come and go', () => {
  const { issue, keep, consume, forgetBefore, waiting } = issued(10);
  for (let number = 10; number < 5000; number++) {
    issue(held(number));
    if (number % 3 === 0) consume(`c${number - 1}`);
    keep(10);
  }
  expect(waiting()).toHaveLength(10);
  expect(waiting().at(-1)).toBe('c4999');
  forgetBefore(4999);
  expect(waiting()).toEqual(['c4999']);
});
