package dev.ligeiro.desk.operator;

import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import dev.ligeiro.desk.http.Problems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.annotation.AnnotationTemplateExpressionDefaults;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import tools.jackson.databind.json.JsonMapper;

/** Who is admitted: operators with a bearer token to {@code /admin}, those who have signed in to {@code /console}. */
@Configuration
@EnableMethodSecurity
class SecurityConfiguration {

    private static final JsonMapper JSON = new JsonMapper();

    /** Lets {@link Needs} name its role. */
    @Bean
    static AnnotationTemplateExpressionDefaults templates() {
        return new AnnotationTemplateExpressionDefaults();
    }

    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http, Operators operators) throws Exception {
        return http.securityMatcher("/admin/**", "/openapi.json")
                .csrf(csrf -> csrf.disable())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .addFilterBefore(new BearerFilter(operators), AnonymousAuthenticationFilter.class)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .exceptionHandling(failures -> failures.authenticationEntryPoint((request, response, failure) -> write(
                        Problem.of(ProblemCode.UNAUTHORIZED, "Send Authorization: Bearer <admin token>"),
                        request,
                        response)))
                .build();
    }

    private static void write(Problem problem, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ResponseEntity<Map<String, Object>> answer = Problems.response(problem, request);
        response.setStatus(answer.getStatusCode().value());
        answer.getHeaders().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        JSON.writeValue(response.getOutputStream(), answer.getBody());
    }
}
