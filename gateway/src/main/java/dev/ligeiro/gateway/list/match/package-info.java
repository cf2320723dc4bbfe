/**
 * Filters as terms that one index each answers, and their reads: counts and ids by index keys only, documents only of the shown rows.
 * Called by the lists, by their counts and by the export.
 */
@NullMarked
package dev.ligeiro.gateway.list.match;

import org.jspecify.annotations.NullMarked;
