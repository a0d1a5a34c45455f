// Setting of this browser: whether the table asks before a costly move is sent. It is on unless it was turned off.

import { getCookie, setCookie } from "./dom.js";

export const isConfirmationOn = () => getCookie("confirmation") !== "0";
export const setConfirmationOn = (on) => setCookie("confirmation", on ? "1" : "0");
