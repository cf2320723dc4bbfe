/**
 * Filters as terms that one index each answers, and their reads: counts and ids by index keys only, documents only of the shown rows.
 * Called by the lists, by their counts and by the export.
 *
 * <p>{@code CountByKeys} counts, {@code ReadMatches} reads rows. For a filter with one term or none a query of {@code TermStore} or
 * {@code DocumentStore} does it; for several terms the ids of the rarest one are looked up in the indexes of the others, which for a page
 * {@code IdWalk} does. A term with search tokens has a range of its index for each UTC day: {@code TokenDays}.
 *
 * <ul>
 *   <li><b>rarest term</b>: the one with the fewest ids in a span
 *   <li><b>chunk</b>: the highest ids of a term in a span, read by one query
 * </ul>
 */
@NullMarked
package dev.ligeiro.gateway.api.list.match;

import org.jspecify.annotations.NullMarked;
