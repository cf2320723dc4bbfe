/** What the pages of operators and merchants share: frame, language, forms. */
@NullMarked
package dev.ligeiro.desk.page;

import org.jspecify.annotations.NullMarked;
