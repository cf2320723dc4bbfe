/** What each running service process tells the operators of itself: that it is there, its version, and a few of its figures. */
@NullMarked
package dev.ligeiro.support.instance;

import org.jspecify.annotations.NullMarked;
