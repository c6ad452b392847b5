#!/usr/bin/env escript
%%! +P 1000000
%% SPDX-FileCopyrightText: 2026 The Rekindle founders
%% SPDX-License-Identifier: MIT
%%
%% Kills N supervised Erlang processes at once, five times. Prints the time until all are restarted, and the
%% memory per process. The children are as small as possible (spawn_link, no gen_server).
%%
%%   erlangstorm.escript N SUPERVISORS
-mode(compile).
-export([init/1, start_child/1]).

init(Child) ->
    {ok, {#{strategy => simple_one_for_one, intensity => 1000000000, period => 1}, [Child]}}.

start_child({Counter, Target, Main}) ->
    Pid = spawn_link(fun() -> receive stop -> ok end end),
    case atomics:add_get(Counter, 1, 1) of
        Target -> Main ! {all, erlang:monotonic_time(microsecond)};
        _ -> ok
    end,
    {ok, Pid}.

storm(Supervisors, Counter) ->
    Children = [Pid || S <- Supervisors, {_, Pid, _, _} <- supervisor:which_children(S)],
    atomics:put(Counter, 1, 0),
    Begin = erlang:monotonic_time(microsecond),
    [exit(Pid, kill) || Pid <- Children],
    receive {all, End} -> ok end,
    timer:sleep(1500),
    (End - Begin) div 1000.

main([N, Supervisors]) ->
    main(list_to_integer(N), list_to_integer(Supervisors)).

main(N, Count) ->
    logger:set_primary_config(level, none),
    Counter = atomics:new(1, []),
    Child = #{id => child, start => {?MODULE, start_child, [{Counter, N, self()}]},
              restart => permanent, shutdown => brutal_kill},
    erlang:garbage_collect(),
    Before = erlang:memory(total),
    Supervisors = [S || _ <- lists:seq(1, Count), {ok, S} <- [supervisor:start_link(?MODULE, Child)]],
    [supervisor:start_child(S, []) || S <- Supervisors, _ <- lists:seq(1, N div Count)],
    receive {all, _} -> ok end,
    [erlang:garbage_collect(Pid) || Pid <- [self() | Supervisors]],
    Memory = (erlang:memory(total) - Before) / N / 1024,
    Times = [storm(Supervisors, Counter) || _ <- lists:seq(1, 5)],
    io:format("n=~b memory per agent: ~.2f kB; all fail, all restarted, ms:~s~n",
              [N, Memory, [io_lib:format(" ~b", [Time]) || Time <- Times]]),
    halt(0).
