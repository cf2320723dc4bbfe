/** What needs a person: open work with its age, the lag of the consumer groups, and the alerts of an Alertmanager. */
@NullMarked
package dev.ligeiro.desk.attention;

import org.jspecify.annotations.NullMarked;
