const OWNER = /^[\w-]{1,64}$/;
const OBJECT = /^[\w-]{1,64}\/[\w-]{1,64}\.[a-z]{1,8}$/;

/** Whether it is `<user id>/<name>`: nothing that could lead out of a folder, a bucket or a query. */
export const isObjectPath = (path: unknown): path is string => typeof path === 'string' && OBJECT.test(path);

const notOurs = () => new TypeError('Not a path of an object.');

/** Throws `TypeError` for what is no path of a stored object. */
export const objectPath = (path: string): string => {
  if (!isObjectPath(path)) throw notOurs();
  return path;
};

/** The folder of a user's objects. Throws `TypeError` for what is no id of a user. */
export const objectFolder = (userId: string): string => {
  if (typeof userId !== 'string' || !OWNER.test(userId)) throw notOurs();
  return userId;
};
