/** What is stored, how much and for how long: sizes, the retention of personal data, and erasures of persons. */
@NullMarked
package dev.ligeiro.desk.stored;

import org.jspecify.annotations.NullMarked;
