/**
 * The merchant's console: pages that show and do what the API shows and does, by calling its routes inside the process with the rights of a
 * session. It reads no store but that of the sessions.
 */
@NullMarked
package dev.ligeiro.gateway.page.console;

import org.jspecify.annotations.NullMarked;
