/** Where money goes: guards, stops, freezes, approvals, and the decisions about money of which no rail tells. */
@NullMarked
package dev.ligeiro.desk.money;

import org.jspecify.annotations.NullMarked;
