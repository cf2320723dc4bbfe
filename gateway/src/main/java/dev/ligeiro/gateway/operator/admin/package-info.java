/**
 * The admin API on the management port: merchants, their platforms, API keys, fees and limits, the audit, and the secrets of webhooks.
 * {@code AdminToken} checks the operator's token for every route that {@code AdminRoutes} makes.
 * Calls the stores of merchants and keys, and {@code api.webhook}. The other operators' rooms take their routes, pages and responses from
 * here.
 *
 * <p>A request is read with {@code Fields} or {@code QueryParameters}, as on the public port, and not bound to a validated record: one
 * response has to name all errors, wrong JSON types included, and Jackson stops at the first wrong type. A response is a record that
 * Jackson writes.
 */
@NullMarked
package dev.ligeiro.gateway.operator.admin;

import org.jspecify.annotations.NullMarked;
