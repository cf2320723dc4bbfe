package dev.ligeiro.desk.http;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A text that is a decimal number, or a constraint for such texts. A form takes it with a comma, too. */
@Retention(RetentionPolicy.RUNTIME)
public @interface DecimalText {}
