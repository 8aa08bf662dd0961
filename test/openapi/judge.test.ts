import { expect } from 'chai';
import { makeComponents } from '../../servers/http/openapi/components.ts';
import { type DocumentedAnswer, judgeOf } from '../support/tree/documented.ts';

const TYPE = 'application/json; charset=utf-8';

describe('The check of responses against the documents', () => {
  const { problem } = judgeOf('accounts');
  const headers = {
    'content-type': TYPE,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': 'x',
  };
  const { 'x-request-id': _, ...withoutId } = headers;
  const answer = (given: Partial<DocumentedAnswer> = {}): DocumentedAnswer => ({
    method: 'POST',
    path: '/api/auth/register',
    status: 201,
    headers,
    text: '{"message":"Sent.","email":"ada@example.com"}',
    ...given,
  });
  const refused = (code: string) => answer({ status: 409, text: JSON.stringify({ message: 'No.', code }) });

  it('accepts a documented response', () => {
    expect(problem(answer())).to.equal(undefined);
    expect(problem(refused('email_taken'))).to.equal(undefined);
    expect(problem(answer({ headers: { ...headers, date: 'today', 'ratelimit-limit': '10' } }))).to.equal(
      undefined,
    );
  });

  for (const [what, given, words] of [
    ['another status', answer({ status: 202 }), '202 is not stated'],
    ['another code', refused('email_known'), 'allowed values'],
    ['a member that is not named', answer({ text: '{"message":"","email":"a@b.c","id":1}' }), 'additional'],
    ['a member that is missing', answer({ text: '{"message":"Sent."}' }), "required property 'email'"],
    ['a member of another type', answer({ text: '{"message":1,"email":"a@b.c"}' }), 'must be string'],
    ['another header', answer({ headers: { ...headers, 'x-powered-by': 'Koa' } }), 'x-powered-by'],
    ['no request id', answer({ headers: withoutId }), 'x-request-id'],
    ['another type', answer({ headers: { ...headers, 'content-type': 'text/html' } }), 'text/html'],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(problem(given)).to.include('POST /api/auth/register').and.include(words);
    });
  }

  it('matches paths with parameters to their routes', () => {
    const path = '/api/auth/sessions/0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f?x=1';
    const text = '{"success":true}';
    expect(problem(answer({ method: 'DELETE', path, status: 200, text }))).to.equal(undefined);
    expect(problem(answer({ method: 'DELETE', path, status: 200 }))).to.include('/api/auth/sessions/{id}');
  });
});

describe('The shared components of a document', () => {
  it('are referenced, and no name stands for two components', () => {
    const { refer, schemas } = makeComponents();
    const one = { type: 'object', title: 'One', properties: {} } as const;
    expect(refer(one)).to.deep.equal({ $ref: '#/components/schemas/One' });
    expect(refer({ type: 'array', items: one })).to.deep.equal({ type: 'array', items: refer(one) });
    expect(Object.keys(schemas())).to.deep.equal(['One']);
    expect(refer({ ...one })).to.deep.equal(refer(one));
    expect(() => refer({ ...one, properties: {} })).to.throw('Two schemas are called One.');
    expect(() => refer({ ...one, description: 'Another' })).to.throw('Two schemas are called One.');
  });
});
