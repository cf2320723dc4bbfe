package dev.ligeiro.desk.operator;

import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.support.problem.Problem;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.annotation.AnnotationTemplateExpressionDefaults;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.filter.OncePerRequestFilter;

/** Who is admitted: operators with a bearer token to {@code /admin}, those who have signed in to {@code /console}. */
@Configuration
@EnableMethodSecurity
class SecurityConfiguration {

    private static final String CONTENT =
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
                    + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    /** Lets {@link Needs} name its role. */
    @Bean
    static AnnotationTemplateExpressionDefaults templates() {
        return new AnnotationTemplateExpressionDefaults();
    }

    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http, Tokens tokens) throws Exception {
        return http.securityMatcher("/admin/**")
                .csrf(csrf -> csrf.disable())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .addFilterBefore(new BearerFilter(tokens), AnonymousAuthenticationFilter.class)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .exceptionHandling(failures -> failures.authenticationEntryPoint(
                        (request, response, failure) -> response.sendError(HttpStatus.UNAUTHORIZED.value())))
                .build();
    }

    /** The pages. What is no page answers 404, without a sign-in. */
    @Bean
    @Order(2)
    SecurityFilterChain pages(HttpSecurity http, Sessions sessions, ProviderSettings settings, ProviderSignIn provider)
            throws Exception {
        if (settings.hasProvider()) {
            http.oauth2Login(provider::configure);
        }
        return http.securityContext(context -> context.securityContextRepository(sessions))
                .requestCache(cache -> cache.disable())
                .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .requestMatchers(SignInPages.SIGN_IN, SignInPages.SIGN_IN + "/**")
                        .permitAll()
                        .requestMatchers(ConsolePath.HOME, ConsolePath.HOME + "/**")
                        .authenticated()
                        .anyRequest()
                        .permitAll())
                .logout(out -> out.logoutUrl("/console/sign-out")
                        .addLogoutHandler((request, response, who) -> sessions.end(request))
                        .logoutSuccessUrl(SignInPages.SIGN_IN))
                .exceptionHandling(failures -> failures.authenticationEntryPoint(
                                (request, response, failure) -> signIn(request, response))
                        .accessDeniedHandler((request, response, failure) -> {
                            if (Operator.of(SecurityContextHolder.getContext().getAuthentication()) == null) {
                                signIn(request, response);
                            } else {
                                response.sendError(HttpStatus.FORBIDDEN.value());
                            }
                        }))
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT))
                        .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.SAME_ORIGIN)))
                .build();
    }

    /** Sends to the sign-in, and after it back to the page; a form leads back to itself, empty. */
    private static void signIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String query = request.getQueryString();
        String path = request.getRequestURI() + (query == null ? "" : "?" + query);
        boolean isPage = path.startsWith("/console/do/") || HttpMethod.GET.matches(request.getMethod());
        String target = ConsolePath.withBack(SignInPages.SIGN_IN, isPage ? ConsolePath.of(path) : ConsolePath.HOME);
        if (request.getHeader("HX-Request") == null) {
            response.sendRedirect(target);
        } else {
            // a part of a page is not replaced by the sign-in: the whole page goes there
            response.setHeader("HX-Redirect", target);
            response.setStatus(HttpStatus.UNAUTHORIZED.value());
        }
    }

    /** Admits operators to the API by their bearer token. */
    private static final class BearerFilter extends OncePerRequestFilter {

        private static final String BEARER = "Bearer ";

        private final Tokens tokens;

        BearerFilter(Tokens tokens) {
            this.tokens = tokens;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            String token = bearer(request.getHeader(HttpHeaders.AUTHORIZATION));
            if (token != null) {
                try {
                    SecurityContextHolder.getContext().setAuthentication(tokens.admit(token, request));
                } catch (Problem refused) {
                    response.sendError(refused.code().status().value());
                    return;
                }
            }
            chain.doFilter(request, response);
        }

        private static @Nullable String bearer(@Nullable String authorization) {
            return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                    ? authorization.substring(BEARER.length()).strip()
                    : null;
        }
    }
}
