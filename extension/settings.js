// SPDX-License-Identifier: Apache-2.0

import { DEFAULTS, readSettings, saveSettings } from "./service.js";

const byId = (id) => document.getElementById(id);

byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await saveSettings({ address: byId("address").value, token: byId("token").value });
    byId("status").textContent = "Saved.";
  } catch (error) {
    byId("status").textContent = error.message;
  }
});

const { address, token } = await readSettings().catch(() => DEFAULTS);
byId("address").value = address;
byId("token").value = token;
