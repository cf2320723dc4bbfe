package dev.ligeiro.desk.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The capability replaces values. Its form shows those of today, and refuses if they have changed since it was opened. Two forms sent within
 * the same milliseconds are not told apart: the later one wins.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Replaces {

    /** The capability that shows the values, such as {@code merchants show}. */
    String value();

    /** Where the values are in its answer, such as {@code /fees}. */
    String at() default "";
}
