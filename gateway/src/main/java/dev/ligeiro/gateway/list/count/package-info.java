/**
 * The number of matches of a list, exactly, from counts that are kept for days, hours and minutes; and where a row is. Called by the
 * lists; calls {@code match} to count a slice.
 */
@NullMarked
package dev.ligeiro.gateway.list.count;

import org.jspecify.annotations.NullMarked;
