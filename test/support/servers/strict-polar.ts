import { randomUUID } from 'node:crypto';
import { checkoutWire, customerWire, productsWire, sessionWire, stateWire } from './polar-answers.ts';
import { type Answer, openStrictServer, type ReceivedRequest, type StrictServer } from './strict-server.ts';

export const POLAR_TOKEN = 'polar_oat_example-of-a-private-token';
export const POLAR_VERSION = '2026-10';

/** A customer with the active subscriptions in the provider's format. */
export interface PolarCustomer {
  readonly id: string;
  readonly externalId: string;
  readonly email?: string;
  readonly subscriptions: readonly Readonly<Record<string, unknown>>[];
}

export interface StrictPolar extends StrictServer {
  /** By Gatehouse's user id. */
  readonly customers: Map<string, PolarCustomer>;
  /** In the provider's format. */
  products: readonly Readonly<Record<string, unknown>>[];
  /** Gatehouse's ids of the users whose personal data were deleted. */
  readonly anonymised: readonly string[];
  /** Replaces the answer to removals. */
  removalsFail: Answer | undefined;
  addCustomer(externalId: string, subscriptions?: PolarCustomer['subscriptions']): PolarCustomer;
}

type Fields = Readonly<Record<string, unknown>>;

const give = (status: number, body?: unknown): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});
const refuse = (status: number, error: string): Answer => give(status, { error, detail: error });
const invalid = (...loc: string[]): Answer =>
  give(422, { detail: [{ loc: ['body', ...loc], msg: 'Field required', type: 'missing' }] });

const CHECKOUT = {
  products: (value: unknown) => Array.isArray(value) && value.length > 0,
  currency: (value: unknown) => value === 'usd',
  external_customer_id: (value: unknown) => typeof value === 'string' && value !== '',
  customer_email: (value: unknown) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(String(value)),
  customer_name: (value: unknown) => typeof value === 'string',
  customer_ip_address: (value: unknown) => /^[0-9a-f.:]+$/.test(String(value)),
  success_url: (value: unknown) => URL.canParse(String(value)),
  return_url: (value: unknown) => URL.canParse(String(value)),
  // The provider's own client also sends the defaults.
  allow_discount_codes: (value: unknown) => value === true,
  allow_trial: (value: unknown) => value === true,
  require_billing_address: (value: unknown) => value === false,
  is_business_customer: (value: unknown) => value === false,
};
const SESSION = { external_customer_id: CHECKOUT.external_customer_id, return_url: CHECKOUT.return_url };

/** The first unknown or invalid member, if any. */
const wrongMember = (body: Fields, form: Readonly<Record<string, (value: unknown) => boolean>>) =>
  Object.entries(body).find(([name, value]) => form[name]?.(value) !== true)?.[0];

const bodyOf = ({ headers, body }: ReceivedRequest): Fields | undefined => {
  if (headers['content-type'] !== 'application/json') return undefined;
  const fields: unknown = JSON.parse(body);
  return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
    ? (fields as Fields)
    : undefined;
};

/** The calls of Polar's REST API that the product makes, for one token and one version. */
export const openStrictPolar = async (): Promise<StrictPolar> => {
  const customers = new Map<string, PolarCustomer>();
  const anonymised: string[] = [];

  const checkout = (request: ReceivedRequest): Answer => {
    const body = bodyOf(request);
    const wrong = body === undefined ? 'body' : wrongMember(body, CHECKOUT);
    if (body === undefined || wrong !== undefined) return invalid(wrong ?? 'body');
    if (customers.get(String(body.external_customer_id))?.subscriptions.length) {
      return refuse(403, 'AlreadyActiveSubscriptionError');
    }
    return give(201, checkoutWire(body, `${polar.url}/checkout/polar_c_${randomUUID()}`));
  };

  const session = (request: ReceivedRequest): Answer => {
    const body = bodyOf(request);
    const wrong = body === undefined ? 'body' : wrongMember(body, SESSION);
    if (body === undefined || wrong !== undefined) return invalid(wrong ?? 'body');
    const customer = customers.get(String(body.external_customer_id));
    if (customer === undefined) return invalid('external_customer_id');
    const address = `${polar.url}/portal?customer_session_token=polar_cst_example`;
    return give(201, sessionWire(customer, String(body.return_url), address));
  };

  const forget = (id: string, query: string): Answer => {
    if (polar.removalsFail !== undefined) return polar.removalsFail;
    if (query !== 'anonymize=true' || !customers.delete(id)) return refuse(404, 'ResourceNotFound');
    anonymised.push(id);
    return give(204);
  };

  const changeEmail = (customer: PolarCustomer, request: ReceivedRequest): Answer => {
    const body = bodyOf(request);
    const wrong = body === undefined ? 'body' : wrongMember(body, { email: CHECKOUT.customer_email });
    const others = [...customers.values()].filter((other) => other !== customer);
    const isTaken = others.some(({ email }) => email === body?.email);
    if (wrong !== undefined || isTaken) return invalid(wrong ?? 'email');
    const changed = { ...customer, email: String(body?.email) };
    customers.set(customer.externalId, changed);
    return give(200, customerWire(changed));
  };

  const listProducts = (query: string): Answer => {
    const parameters = new URLSearchParams(query);
    if ([...parameters.keys()].some((name) => !['id', 'limit', 'page'].includes(name)))
      return invalid('query');
    const limit = Number(parameters.get('limit') ?? 10);
    if (limit > 100) return invalid('limit');
    const products = polar.products.filter(({ id }) => parameters.getAll('id').includes(String(id)));
    return give(200, productsWire(products, limit));
  };

  const answerTo = (request: ReceivedRequest): Answer => {
    const { method, path, headers } = request;
    if (headers['polar-version'] !== POLAR_VERSION) return give(404, { detail: 'Not Found' });
    if (headers.authorization !== `Bearer ${POLAR_TOKEN}`) return give(401, { error: 'invalid_token' });
    if (headers.accept !== 'application/json') return refuse(406, 'NotAcceptable');
    const [route = '', query = ''] = path.split('?');
    const [, id = '', more] = /^\/v1\/customers\/external\/([^/]+)(\/state)?$/.exec(route) ?? [];
    if (method === 'POST' && path === '/v1/checkouts/') return checkout(request);
    if (method === 'POST' && path === '/v1/customer-sessions/') return session(request);
    if (method === 'GET' && route === '/v1/products/') return listProducts(query);
    const customer = customers.get(decodeURIComponent(id));
    const isFailing = method === 'DELETE' && polar.removalsFail !== undefined;
    if (id !== '' && customer === undefined && !isFailing) return refuse(404, 'ResourceNotFound');
    if (method === 'GET' && more && query === '' && customer !== undefined) {
      return give(200, stateWire(customer));
    }
    if (method === 'PATCH' && customer !== undefined && !more) return changeEmail(customer, request);
    if (method === 'DELETE' && id !== '' && !more) return forget(decodeURIComponent(id), query);
    return give(405, { detail: 'Method Not Allowed' });
  };

  const polar: StrictPolar = Object.assign(await openStrictServer(answerTo), {
    customers,
    products: [],
    anonymised,
    removalsFail: undefined,
    addCustomer: (externalId: string, subscriptions: PolarCustomer['subscriptions'] = []) => {
      const customer = { id: randomUUID(), externalId, subscriptions };
      customers.set(externalId, customer);
      return customer;
    },
  });
  return polar;
};
