#!/usr/bin/env escript
%% SPDX-FileCopyrightText: 2026 The Rekindle founders
%% SPDX-License-Identifier: MIT
%%
%% Runs supervisors of Erlang/OTP and kills their workers, one after the other.
%%
%%   supervisors.escript FILE
%%
%% FILE contains a term for each tree of supervisors; all run at the same time:
%%
%%   {Number, Supervisor, KilledWorkers, PauseAfterKillInMilliseconds}.
%%
%% A supervisor is {Strategy, Intensity, PeriodInSeconds, [{Name, worker | Supervisor}]}.
%% Prints a line of JSON for each tree: its number, whether the outer supervisor gave up, and the
%% starts and stops of workers in order. At the end, all workers are stopped.
-mode(compile).
-export([init/1, start_worker/2, worker/3]).

main([File]) ->
    logger:set_primary_config(level, none),
    {ok, Trees} = file:consult(File),
    Main = self(),
    [spawn_link(fun() -> Main ! {result, run(Tree)} end) || Tree <- Trees],
    [receive {result, Line} -> io:put_chars(Line) end || _ <- Trees].

run({Number, Supervisor, Kills, Pause}) ->
    process_flag(trap_exit, true),
    Log = ets:new(log, [public, ordered_set]),
    {ok, Top} = supervisor:start_link(?MODULE, {Log, Supervisor}),
    GaveUp = not lists:all(fun(Name) -> kill(Top, Name, Pause) end, Kills),
    GaveUp orelse exit(Top, shutdown),
    receive {'EXIT', Top, _} -> ok end,
    Words = [io_lib:format("\"~s\"", [Word]) || {Order, Word} <- ets:tab2list(Log), is_integer(Order)],
    io_lib:format("{\"number\": ~b, \"gaveUp\": ~p, \"log\": [~s]}~n", [Number, GaveUp, lists:join(", ", Words)]).

init({Log, {Strategy, Intensity, Period, Children}}) ->
    {ok, {#{strategy => Strategy, intensity => Intensity, period => Period}, [child(Log, Child) || Child <- Children]}}.

child(Log, {Name, worker}) ->
    #{id => Name, start => {?MODULE, start_worker, [Log, Name]}};
child(Log, {Name, Supervisor}) ->
    #{id => Name, start => {supervisor, start_link, [?MODULE, {Log, Supervisor}]}, type => supervisor}.

start_worker(Log, Name) ->
    proc_lib:start_link(?MODULE, worker, [Log, Name, self()]).

worker(Log, Name, Parent) ->
    process_flag(trap_exit, true),
    log(Log, Name, "START"),
    proc_lib:init_ack({ok, self()}),
    receive {'EXIT', Parent, Reason} -> ok end,
    log(Log, Name, "STOP"),
    exit(Reason).

log(Log, Name, Word) ->
    Order = ets:update_counter(Log, last, 1, {last, 0}),
    ets:insert(Log, {Order, io_lib:format("~s.~s", [Name, Word])}).

%% Returns false if the outer supervisor has given up.
kill(Top, Name, Pause) ->
    Killed = find(Top, Name),
    exit(Killed, kill),
    IsAlive = settle(Top, Name, Killed),
    timer:sleep(Pause),
    IsAlive.

%% A supervisor answers only after it has restarted all children.
settle(Top, Name, Killed) ->
    case catch find(Top, Name) of
        Pid when is_pid(Pid), Pid =/= Killed -> true;
        _ ->
            timer:sleep(1),
            is_process_alive(Top) andalso settle(Top, Name, Killed)
    end.

find(Supervisor, Name) ->
    lists:foldl(
        fun({Id, Pid, worker, _}, _) when Id =:= Name -> Pid;
           ({_, Pid, supervisor, _}, none) -> find(Pid, Name);
           (_, Found) -> Found
        end,
        none,
        supervisor:which_children(Supervisor)).
