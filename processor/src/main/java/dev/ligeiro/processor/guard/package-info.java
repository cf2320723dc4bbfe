/**
 * What operators permit cashouts: stops, frozen merchants and the guards of merchants. Called by {@code intake} before it decides a batch,
 * and after it has stored it. {@code decide} asks for the verdict on each cashout before it reaches its rail.
 *
 * <p>{@code GuardStore} reads what operators have set, {@code GuardSettings} judges by it. {@code Totals} counts cashouts towards the limits
 * of days, nights and windows and reserves funds, {@code TotalsStore} keeps the totals in MongoDB. {@code GuardCashouts} orders the steps.
 */
@NullMarked
package dev.ligeiro.processor.guard;

import org.jspecify.annotations.NullMarked;
