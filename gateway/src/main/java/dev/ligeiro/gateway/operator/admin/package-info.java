/**
 * The admin API on the management port: merchants, their platforms, API keys, fees and limits, the audit, and the secrets of webhooks.
 * Calls the stores of merchants and keys, and {@code api.webhook}. The other operators' rooms take their routes, pages and responses from
 * here.
 */
@NullMarked
package dev.ligeiro.gateway.operator.admin;

import org.jspecify.annotations.NullMarked;
