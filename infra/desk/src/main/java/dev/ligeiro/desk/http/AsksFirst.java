package dev.ligeiro.desk.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A capability whose effect cannot be taken back. {@code infra/admin} says the sentence and asks before it calls. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface AsksFirst {

    /** What will happen, such as {@code The key stops for ever.} */
    String value();
}
