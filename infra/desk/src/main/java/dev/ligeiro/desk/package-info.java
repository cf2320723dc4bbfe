/** The two applications of the desk. */
@NullMarked
package dev.ligeiro.desk;

import org.jspecify.annotations.NullMarked;
