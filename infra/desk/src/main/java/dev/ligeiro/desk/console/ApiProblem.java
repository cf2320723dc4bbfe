package dev.ligeiro.desk.console;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ResponseStatusException;

/** A problem document of the gateway. A page that does not expect it is answered with its status. */
final class ApiProblem extends ResponseStatusException {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final transient List<Errors.Field> errors;

    /** @param errors null unless the problem is one of fields */
    record Body(String code, @Nullable List<Errors.Field> errors) {}

    ApiProblem(HttpStatusCode status, Body body) {
        super(status, body.code);
        this.code = body.code;
        this.errors = body.errors == null ? List.of() : body.errors;
    }

    /** The answer, or null if it has one of these statuses. */
    static <T> @Nullable T nullIf(Set<Integer> statuses, Supplier<T> call) {
        try {
            return call.get();
        } catch (ApiProblem problem) {
            if (!statuses.contains(problem.status())) {
                throw problem;
            }
            return null;
        }
    }

    int status() {
        return getStatusCode().value();
    }

    String code() {
        return code;
    }

    List<Errors.Field> errors() {
        return errors;
    }

    /** Whether the person can do something about it on the page that was sent: a field is wrong, or what it is about has changed. */
    boolean isForThePage() {
        return status() == 409 || status() == 422;
    }
}
