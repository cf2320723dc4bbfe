/**
 * The admin API on the management port: merchants, their platforms, API keys, fees and limits. Calls the stores of merchants and keys.
 */
@NullMarked
package dev.ligeiro.gateway.operator.admin;

import org.jspecify.annotations.NullMarked;
