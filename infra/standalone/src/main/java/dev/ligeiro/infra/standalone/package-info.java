/**
 * The whole system on one machine: starts the brokers and the three services as processes of their own, watches them and
 * makes a demo merchant. Called by {@code infra/run} and the end-to-end tests; speaks to the gateway over HTTP only.
 */
@NullMarked
package dev.ligeiro.infra.standalone;

import org.jspecify.annotations.NullMarked;
