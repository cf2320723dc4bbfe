package dev.ligeiro.desk.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The capability cannot be taken back, or stops something. Its form has a red button. A DELETE is dangerous without it. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Dangerous {}
