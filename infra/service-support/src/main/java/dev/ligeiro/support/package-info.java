/** What the three services set up alike. Each package is used on its own; the application classes import its configuration. */
@NullMarked
package dev.ligeiro.support;

import org.jspecify.annotations.NullMarked;
