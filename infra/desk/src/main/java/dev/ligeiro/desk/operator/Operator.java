package dev.ligeiro.desk.operator;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import java.security.Principal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * A person or program that runs the installation. It is the authentication of their requests, so handlers take it as a parameter.
 *
 * @param name as the audit shows it: that of the token, or the person's
 */
public record Operator(@JsonValue String name, Set<Role> roles) implements Authentication {

    public Operator {
        roles = Set.copyOf(roles);
    }

    /** The operator of a request; null before the sign-in. */
    public static @Nullable Operator of(@Nullable Principal principal) {
        return principal instanceof Operator operator ? operator : null;
    }

    /** Every operator may read. */
    public boolean has(Role role) {
        return role == Role.READ || roles.contains(role);
    }

    /** @throws Problem 403 if the operator lacks the role */
    public void require(Role role) {
        if (!has(role)) {
            throw Problem.of(ProblemCode.INSUFFICIENT_ROLE, "The operator's token lacks the role " + role.code());
        }
    }

    @Override
    public List<Role> getAuthorities() {
        return Stream.of(Role.values()).filter(this::has).toList();
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getPrincipal() {
        return name;
    }

    @Override
    public String getCredentials() {
        return "";
    }

    @Override
    public @Nullable Object getDetails() {
        return null;
    }

    @Override
    public boolean isAuthenticated() {
        return true;
    }

    @Override
    public void setAuthenticated(boolean isAuthenticated) {
        throw new IllegalArgumentException("an operator is always authenticated");
    }
}
