package dev.ligeiro.desk.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A problem document of the gateway. */
final class ApiProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Body body;

    /** @param errors null unless the problem is one of fields */
    record Body(String code, @Nullable List<Field> errors) {}

    /** @param code such as {@code required} */
    record Field(String field, String code, String message) {}

    ApiProblem(int status, Body body) {
        super(status + " " + body.code, null, false, false);
        this.status = status;
        this.body = body;
    }

    int status() {
        return status;
    }

    String code() {
        return body.code;
    }

    List<Field> errors() {
        return body.errors == null ? List.of() : body.errors;
    }

    /** Whether the person can do something about it on the page that was sent: a field is wrong, or what it is about has changed. */
    boolean isForThePage() {
        return status == 409 || status == 422;
    }
}
