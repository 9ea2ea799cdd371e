// SPDX-License-Identifier: Apache-2.0
// Requests to the service, `thresher serve` on this computer. Nothing else is ever asked.

export const DEFAULTS = { address: "http://127.0.0.1:8737", token: "" };
const SECONDS = 60;
const storage = (globalThis.browser ?? globalThis.chrome)?.storage;

// The service is not there.
export class Missing extends Error {}

// The address without a path. Throws for one that is not on this computer.
export function checkAddress(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new Error("This is no address. It looks like http://127.0.0.1:8737");
  }
  if (url.protocol !== "http:" || !["127.0.0.1", "localhost"].includes(url.hostname) || url.username || url.password)
    throw new Error("Pages are only sent to this computer: the address begins with http://127.0.0.1 or http://localhost");
  return url.origin;
}

export async function readSettings() {
  const found = { ...DEFAULTS, ...(await storage.local.get(DEFAULTS)) };
  return { address: checkAddress(found.address), token: String(found.token) };
}

export async function saveSettings({ address, token }) {
  await storage.local.set({ address: checkAddress(address), token: token.trim() });
}

// The answer to a JSON body.
export async function ask(path, body) {
  const { address, token } = await readSettings();
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(address + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers,
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(1000 * SECONDS),
    });
  } catch (error) {
    if (error.name === "TimeoutError") throw new Error(`The service did not answer within ${SECONDS} seconds.`);
    throw new Missing(`Nothing answers at ${address}.`);
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Missing(`What answers at ${address} is not Thresher.`);
  }
  if (response.status === 401) throw new Error("The service asks for a token. Enter it in the settings.");
  if (!response.ok) throw new Error(`The service said: ${answer.message ?? response.status}`);
  return answer;
}
