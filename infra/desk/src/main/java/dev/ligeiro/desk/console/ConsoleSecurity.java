package dev.ligeiro.desk.console;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.client.RestClientException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Who is admitted: those who have entered by a link, until they are idle for too long. Forms come from pages of this console only. */
@Configuration
class ConsoleSecurity implements WebMvcConfigurer, HandlerInterceptor {

    private static final String CONTENT_POLICY =
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    private static final String SEEN = ConsoleSecurity.class.getName() + ".seen";

    private final GatewayApi api;
    private final Clock clock;

    ConsoleSecurity(GatewayApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    @Bean
    SecurityFilterChain console(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(
                        requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.FORWARD)
                                .permitAll()
                                .requestMatchers("/", "/files/**", "/console/enter/**")
                                .permitAll()
                                .anyRequest()
                                .authenticated())
                .exceptionHandling(failures -> failures.authenticationEntryPoint(
                        (request, response, failure) -> response.sendError(HttpStatus.UNAUTHORIZED.value())))
                .requestCache(cache -> cache.disable())
                .logout(out -> out.logoutUrl("/console/sign-out")
                        .addLogoutHandler((request, response, who) -> end(Visitor.of(who)))
                        .logoutSuccessUrl(MerchantFrame.HOME))
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_POLICY))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN)))
                .build();
    }

    private void end(@Nullable Visitor visitor) {
        try {
            if (visitor != null) {
                api.endSession(visitor.session());
            }
        } catch (ApiProblem | RestClientException unreached) {
            // it ends there by itself, since nobody else has its token
        }
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/console/**");
    }

    /** Ends sessions without a request by a person: a page that is open asks again by itself, also when nobody sits before it. */
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        Visitor visitor = Visitor.of(request.getUserPrincipal());
        HttpSession session = request.getSession(false);
        if (visitor == null || session == null || request.getDispatcherType() != DispatcherType.REQUEST) {
            return true;
        }
        Instant now = clock.instant();
        if (session.getAttribute(SEEN) instanceof Instant seen
                && seen.plusSeconds(visitor.idleSeconds()).isBefore(now)) {
            end(visitor);
            session.invalidate();
            response.sendError(HttpStatus.UNAUTHORIZED.value());
            return false;
        }
        if (request.getHeader("HX-Request") == null) {
            session.setAttribute(SEEN, now);
        }
        return true;
    }

    /** What is wrong with a form is the status of its page, too. */
    @Override
    public void postHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable ModelAndView page) {
        if (page != null && page.getModel().get("errors") instanceof Errors errors && !errors.isEmpty()) {
            response.setStatus(errors.status());
        }
    }
}
