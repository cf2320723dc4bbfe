/**
 * The whole system on one machine: starts the brokers and the three services as processes, supervises them and creates a demo
 * merchant. Called by {@code infra/run} and the end-to-end tests; calls the gateway over HTTP only.
 */
@NullMarked
package dev.ligeiro.infra.launcher;

import org.jspecify.annotations.NullMarked;
