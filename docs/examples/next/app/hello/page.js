import { getSession } from '../../gatehouse.js';
import LogIn from './log-in.js';

export default async () => {
  const session = await getSession();
  return session === null ? <LogIn /> : <p>{`Hello ${session.user.email}`}</p>;
};
