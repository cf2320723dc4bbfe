/**
 * The operators' console on the management port. Its pages are made of the answers of the admin API, which they call inside the process with the
 * rights of the operator who is signed in; it reads no store. Browsers call in; calls {@code operator.admin} for tokens and sessions, and
 * {@code http.html} for pages and calls.
 *
 * <p>A page is a list of {@link dev.ligeiro.gateway.operator.console.Block}s, which one template writes. Lists are rows of {@code
 * OperatorLists}, and everything that changes something is a row of {@code OperatorForms}.
 */
@NullMarked
package dev.ligeiro.gateway.operator.console;

import org.jspecify.annotations.NullMarked;
